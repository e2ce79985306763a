"""An event loop on a thread of its own, for callers that have none, or have one already."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Job: TypeAlias = Callable[[Callable[[T], None]], Coroutine[None, None, None]]
"""Hands each of its results to the function that it is given."""


class Background:
    """Runs coroutines while the thread that made it does something else, or waits.

    A notebook has a loop that is running already, and a person's interrupt reaches only the main
    thread; both rule out a loop on the caller's own thread.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="teval-requests", daemon=True
        )
        self._thread.start()

    def stream(self, job: Job[T]) -> Iterator[T]:
        """Yield the results of a job as they come; the job is cancelled with the iterator.

        Raises:
            Exception: Whatever the job raised, after all results that came before.
        """
        results: SimpleQueue[T | None] = SimpleQueue()

        async def run() -> None:
            try:
                await job(results.put)
            finally:
                results.put(None)

        future = asyncio.run_coroutine_threadsafe(run(), self._loop)
        try:
            while (result := results.get()) is not None:
                yield result
            future.result()
        finally:
            future.cancel()

    def close(self, last: Coroutine[None, None, None], grace: float = 5.0) -> None:
        """Cancel what runs, run one last coroutine, and end the thread.

        Args:
            last: What frees whatever the jobs used.
            grace: Seconds after which it is not waited for any longer.
        """
        ending = asyncio.run_coroutine_threadsafe(_end(last), self._loop)
        try:
            ending.result(grace)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(grace)
        self._loop.close()


async def _end(last: Coroutine[None, None, None]) -> None:
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await last
    await asyncio.get_running_loop().shutdown_asyncgens()
