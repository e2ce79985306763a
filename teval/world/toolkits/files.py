"""The user's folders and documents."""

from __future__ import annotations

from collections.abc import Sequence

from teval.schema import JsonObject
from teval.world.paperwork import Access, Document, Folder, make_documents, put_folders
from teval.world.reading import pick, within
from teval.world.tool import Text, tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import known_addresses
from teval.world.values import (
    InputError,
    clip,
    holds,
    minute,
    page,
    read_words,
    short_text,
    size,
)

_MOST_NAME = 80
_MOST_PATH = 120
_MOST_TEXT = 600
_PAGE_BYTES = 700
"""Most bytes of a page as canonical JSON text."""
_MOST_SHARES = 5


class Files(Toolkit):
    """Reading, writing, filing and sharing text documents."""

    def seed(self) -> None:
        """Put the folders, and documents that tell of people of the address book."""
        put_folders(self.state)
        for document in make_documents(self.setting, self.state):
            self.state.add(document, self.setting, "DOC")

    def others(self, argument: str) -> Sequence[str]:
        """Return paths of folders that are not empty, or ids or names of documents."""
        live = self._live()
        values: dict[str, Sequence[str]] = {
            "folder": sorted({d.folder for d in live}),
            "document_id": [d.id for d in live],
            "words": [d.name for d in live],
        }
        return values.get(argument, ())

    @tool("read", decoy="folder")
    def list_folder(self, folder: str = "/") -> JsonObject:
        """List what lies directly in a folder: its subfolders and its documents.

        Args:
            folder: Path of the folder from the top, such as /Projects/Orchard; / is the top.

        Returns:
            Subfolders with path, then documents with id, name, number of pages and time of the last
            change.

        Raises:
            InputError: No such folder.
        """
        path = self._folder(folder)
        inside = sorted(f.id for f in self.state.all(Folder) if _parent(f.id) == path)
        folders: list[JsonObject] = [{"folder": name} for name in inside]
        documents: list[JsonObject] = [
            {
                "document_id": d.id,
                "name": d.name,
                "page_count": len(d.pages),
                "modified": d.modified,
            }
            for d in sorted(self._live(), key=lambda d: (d.name, d.id))
            if d.folder == path
        ]
        return {"folder": path, **page("entries", [*folders, *documents])}

    @tool("read", decoy="words")
    def search_documents(self, words: Text, folder: str | None = None) -> JsonObject:
        """Search documents by words in their names and pages. Tells where the words stand, not the text; read_document gives it.

        Args:
            words: Words that must all occur in the name and one page taken together.
            folder: Path of the folder to search with all below it, such as /Projects; everywhere if
                left out.

        Returns:
            Documents with id, name, folder and first page that fits; none if nothing fits.

        Raises:
            InputError: No words; no such folder.
        """  # noqa: E501
        wanted = read_words(words, "words")
        top = "/" if folder is None else self._folder(folder)
        found: list[JsonObject] = []
        for d in self._live():
            hits = [n for n, text in enumerate(d.pages, 1) if holds(wanted, d.name, text)]
            if hits and _below(d.folder, top):
                row: JsonObject = {"document_id": d.id, "name": d.name, "folder": d.folder}
                found.append({**row, "page": hits[0]})
        return {"words": words[:60], **page("documents", found)}

    @tool("read", decoy="document_id")
    def read_document(self, document_id: str, page_number: int = 1) -> JsonObject:
        """Read one page of a document.

        Args:
            document_id: Id of the document, such as DOC-7Q2K.
            page_number: Which page, from 1.

        Returns:
            Name, folder, text of the page, number of pages, and with whom the document is shared.

        Raises:
            InputError: No such document; no such page.
        """
        document = self._document(document_id)
        within(page_number, "page_number", 1, len(document.pages))
        return {
            **_line(document),
            "page_number": page_number,
            "page_count": len(document.pages),
            "text": document.pages[page_number - 1],
            "shared_with": dict(document.shared.items()),
        }

    @tool("write")
    def create_folder(self, folder: str) -> JsonObject:
        """Make a new, empty folder in an existing one.

        Args:
            folder: Path of the new folder from the top, such as /Projects/Harbour; at most 120
                bytes.

        Returns:
            Path of the new folder.

        Raises:
            InputError: Folder exists; folder above it does not; empty or long name.
        """
        path = _path(folder)
        above, name = self._folder(_parent(path) or "/"), path.rsplit("/", 1)[-1]
        new = f"{above.rstrip('/')}/{name}"
        short_text(new, "folder", _MOST_PATH)
        if self._find_folder(new) is not None:
            raise InputError(f"folder {clip(new)} already exists")
        self.state.put(Folder(id=new))
        return {"created": new}

    @tool("write")
    def create_document(self, name: Text, text: Text, folder: str = "/") -> JsonObject:
        """Write a new document of one page.

        Args:
            name: Name of the document, at most 80 bytes, without slashes; new in its folder.
            text: What it says, at most 600 bytes.
            folder: Path of the folder to put it in, such as /Projects.

        Returns:
            Id, name and folder of the new document.

        Raises:
            InputError: No such folder; name empty, long or in use there; empty text.
        """
        short_text(text, "text", _MOST_TEXT)
        path = self._folder(folder)
        document = Document(
            id="",
            name=self._new_name(name, path),
            folder=path,
            pages=(text,),
            modified=minute(self.setting.now),
        )
        return {"created": _line(self.state.add(document, self.setting, "DOC"))}

    @tool("write")
    def append_text(self, document_id: str, text: Text) -> JsonObject:
        """Add text to the end of a document, on its last page or, if that is full, on a new one.

        Args:
            document_id: Id of the document, such as DOC-7Q2K.
            text: What to add, at most 600 bytes.

        Returns:
            Id, name and folder, and the page on which the text now stands.

        Raises:
            InputError: No such document; empty text.
        """
        document = self._document(document_id)
        short_text(text, "text", _MOST_TEXT)
        joined = f"{document.pages[-1]}\n{text}"
        fits = size(joined) <= _PAGE_BYTES
        pages = (*document.pages[:-1], joined) if fits else (*document.pages, text)
        self._put(document, pages=pages)
        return {"appended": _line(document), "page_number": len(pages)}

    @tool("write")
    def move_document(self, document_id: str, folder: str) -> JsonObject:
        """Move a document into another folder. Its id stays the same.

        Args:
            document_id: Id of the document, such as DOC-7Q2K.
            folder: Path of the folder to move it to, such as /Archive.

        Returns:
            Id and name of the document, old and new folder.

        Raises:
            InputError: No such document or folder; already there; name in use there.
        """
        document, path = self._document(document_id), self._folder(folder)
        if document.folder == path:
            raise InputError(f"{document.id} already lies in {path}")
        self._new_name(document.name, path)
        self._put(document, folder=path)
        told: JsonObject = {"document_id": document.id, "name": document.name}
        return {**told, "from": document.folder, "to": path}

    @tool("write")
    def rename_document(self, document_id: str, name: Text) -> JsonObject:
        """Give a document another name in the same folder. Its id stays the same.

        Args:
            document_id: Id of the document, such as DOC-7Q2K.
            name: New name, at most 80 bytes, without slashes.

        Returns:
            Id of the document, old and new name.

        Raises:
            InputError: No such document; name empty, long or in use there.
        """
        document = self._document(document_id)
        new = self._new_name(name, document.folder)
        self._put(document, name=new)
        return {"document_id": document.id, "from": document.name, "to": new}

    @tool("write")
    def delete_document(self, document_id: str) -> JsonObject:
        """Delete a document for good.

        Args:
            document_id: Id of the document, such as DOC-7Q2K.

        Returns:
            Id and name of the deleted document.

        Raises:
            InputError: No such document.
        """
        document = self._document(document_id)
        self.state.put(document.model_copy(update={"deleted": True}))
        return {"deleted": document.id, "name": document.name}

    @tool("write")
    def share_document(self, document_id: str, email: str, access: Access = "view") -> JsonObject:
        """Let a contact view or edit a document, or change what the contact may do. Sends no mail.

        Args:
            document_id: Id of the document, such as DOC-7Q2K.
            email: Mail address of a contact.
            access: What the contact may do.

        Returns:
            Id and name of the document, and with whom it is shared.

        Raises:
            InputError: No such document; address of no contact; already shared like this; shared
                with 5 people.
        """
        document = self._document(document_id)
        (address,) = known_addresses(self.state, [email], "email")
        if document.shared.get(address) == access:
            raise InputError(f"{document.id} is already shared with {address} to {access}")
        shared = dict(sorted({**document.shared, address: access}.items()))
        if len(shared) > _MOST_SHARES:
            raise InputError(f"a document may be shared with at most {_MOST_SHARES} people")
        self.state.put(document.model_copy(update={"shared": shared}))
        told: JsonObject = {"document_id": document.id, "name": document.name}
        return {**told, "shared_with": dict(shared.items())}

    def _live(self) -> list[Document]:
        return [d for d in self.state.all(Document) if not d.deleted]

    def _document(self, document_id: str) -> Document:
        live = {d.id: d for d in self._live()}
        return pick(live, document_id, "document", "files.search_documents")

    def _find_folder(self, path: str) -> str | None:
        """Return a folder's path as it is spelt, case ignored, or None."""
        wanted = path.casefold()
        return next((f.id for f in self.state.all(Folder) if f.id.casefold() == wanted), None)

    def _folder(self, text: str) -> str:
        found = self._find_folder(_path(text))
        if found is None:
            raise InputError(
                f"no folder {clip(text)}; give a whole path such as /Projects/Orchard; "
                "files.list_folder shows them"
            )
        return found

    def _new_name(self, text: str, folder: str) -> str:
        """Return a name, trimmed, that no document of a folder bears."""
        name = text.strip()
        short_text(name, "name", _MOST_NAME)
        if "/" in name:
            raise InputError(f"name must not hold a slash, got {clip(name)}")
        for other in self._live():
            if other.folder == folder and other.name.casefold() == name.casefold():
                raise InputError(f"{other.id} in {folder} already bears the name {clip(name)}")
        return name

    def _put(self, document: Document, **changes: str | tuple[str, ...]) -> None:
        update = {**changes, "modified": minute(self.setting.now)}
        self.state.put(document.model_copy(update=update))


def _path(text: str) -> str:
    """Return a path that begins with a slash and does not end with one, but for the top."""
    return f"/{text.strip().strip('/')}"


def _parent(path: str) -> str:
    """Return the path of the folder above; the top has none.

    >>> _parent("/Projects/Orchard"), _parent("/Projects"), _parent("/")
    ('/Projects', '/', '')
    """
    return "" if path == "/" else path.rsplit("/", 1)[0] or "/"


def _below(path: str, top: str) -> bool:
    return path == top or path.startswith(f"{top.rstrip('/')}/")


def _line(document: Document) -> JsonObject:
    return {"document_id": document.id, "name": document.name, "folder": document.folder}
