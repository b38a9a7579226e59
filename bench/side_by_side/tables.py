"""Text tables: colour and block characters for people at a terminal, plain ASCII for pipes."""

import os

EIGHTHS = " ▏▎▍▌▋▊▉█"


class Style:
    def __init__(self, stream):
        self.is_terminal = stream.isatty()
        self.has_colour = self.is_terminal and "NO_COLOR" not in os.environ
        encoding = (getattr(stream, "encoding", None) or "").lower()
        self.has_blocks = self.is_terminal and encoding.startswith("utf")

    def _paint(self, code, text):
        return f"\x1b[{code}m{text}\x1b[0m" if self.has_colour else text

    def title(self, text):
        return self._paint("1", text)

    def faint(self, text):
        return self._paint("2", text)

    def good(self, text):
        return self._paint("32", text)

    def bad(self, text):
        return self._paint("31", text)

    def bar(self, share, width=20):
        """A bar for 0 <= share <= 1."""
        filled = max(0.0, min(1.0, share)) * width
        if not self.has_blocks:
            return "#" * round(filled)
        whole = int(filled)
        part = EIGHTHS[int((filled - whole) * 8)].strip()
        return "█" * whole + part


def table(style, header, rows):
    """Lines of a table: the first column and texts stand left, numbers (given as text) right."""
    columns = list(zip(header, *rows))
    widths = [max(len(cell) for cell in column) for column in columns]
    right = [i > 0 and all(looks_like_number(c) for c in column[1:]) for i, column in enumerate(columns)]
    lines = [style.title(aligned(header, widths, right))]
    lines.append(style.faint("  ".join("-" * width for width in widths)))
    lines.extend(aligned(row, widths, right) for row in rows)
    return lines


def looks_like_number(cell):
    return cell == "" or cell[0] in "0123456789-+<x" or cell == "n/a"


def aligned(cells, widths, right):
    padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right)]
    return "  ".join(padded).rstrip()


def whole(value):
    return f"{value:,.0f}"


def decimal(value, digits=1):
    return f"{value:,.{digits}f}"


def megabytes(count):
    return f"{count / 1e6:,.1f}"


def percent(share):
    return f"{share * 100:.1f}%"


def times(ratio):
    """"12.3x", with enough digits for small ratios too."""
    if ratio >= 100:
        return f"{ratio:,.0f}x"
    return f"{ratio:.1f}x" if ratio >= 10 else f"{ratio:.2f}x"
