"""Records the cosines that both scorers ask for over the golden cases, and those of text pairs.

Needs sentence-transformers, and one folder an encoder:

    python tests/golden/record.py minilm=FOLDER mpnet=FOLDER
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from golden_cases import ENCODERS, FOLDER, cases, text_pairs
from golden_corrected import Likeness, corrected
from golden_files import score_files, write_files

from teval.metrics.published import Pair
from teval.metrics.similarity import same_text
from teval.schema import PAIR


def asked() -> list[Pair]:
    """Return all pairs of texts that the scorers may ask for, each once, whatever the encoder."""
    pairs: dict[Pair, None] = {}
    for case in cases():
        scoring = case.scoring()
        pairs |= dict.fromkeys(scoring.pairs)
        pairs |= dict.fromkeys(scoring.more(lambda _a, _b: 1.0))

    def likeness(a: str, b: str) -> float:
        if not same_text(a, b) and (b, a) not in pairs:
            pairs[a, b] = None
        return 1.0

    for case in cases():
        corrected(case, likeness)
    with TemporaryDirectory() as folder:
        write_files(Path(folder))
        score_files(Path(folder), _Asking(likeness))
    for pair in text_pairs():
        likeness(pair.answer, pair.gold)
    return list(pairs)


class _Asking:
    """Takes note of all pairs of texts that whoever scores wants to know the likeness of."""

    def __init__(self, note: Likeness) -> None:
        self._note = note

    def __call__(self, a: str, b: str) -> float:
        return self._note(a, b)

    def cosine(self, a: str, b: str) -> float:
        return self._note(a, b)

    def prepare(self, pairs: Iterable[Pair]) -> None:
        for pair in pairs:
            self._note(*pair)


def lines(pairs: Sequence[Pair], folder: str) -> Iterator[str]:
    """Yield the lines of a file of cosines: the texts, then the pairs."""
    from sentence_transformers import SentenceTransformer

    texts = sorted({text for pair in pairs for text in pair})
    place = {text: i for i, text in enumerate(texts)}
    model = SentenceTransformer(folder, device="cpu")
    inputs = [text.split(PAIR) if PAIR in text else text for text in texts]
    vectors = model.encode(inputs, normalize_embeddings=True).astype("float64")
    yield from (json.dumps(text, ensure_ascii=False) for text in texts)
    for a, b in pairs:
        cosine = float(vectors[place[a]] @ vectors[place[b]])
        yield json.dumps([place[a], place[b], round(cosine, 7)], separators=(",", ":"))


def main(arguments: Sequence[str]) -> None:
    """Write one file for each ``encoder=folder``."""
    pairs = asked()
    for argument in arguments:
        encoder, _, folder = argument.partition("=")
        if encoder not in ENCODERS:
            sys.exit(f"no encoder {encoder}: one of {', '.join(ENCODERS)}")
        path = FOLDER / f"cosines.{encoder}.jsonl"
        path.write_text("\n".join([*lines(pairs, folder), ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
