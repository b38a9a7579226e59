"""Who takes part. Each contender knows how to start itself and how to read what it did."""

from .crawlee import Crawlee
from .heddle import Heddle
from .scrapy import Scrapy

__all__ = ["Crawlee", "Heddle", "Scrapy"]
