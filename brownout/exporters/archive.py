"""Archives of the same bytes wherever and whenever they are made: wheels, and the reference solutions of an export."""

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

__all__ = ["zipped"]


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip archive with these files, in the order of their paths."""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for path, data in sorted(files.items()):
            entry = ZipInfo(path)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return stream.getvalue()
