"""The contenders. Each knows how to start itself and how to read its results."""

from .crawlee import Crawlee, CrawleeTutorial
from .heddle import Heddle, HeddleLua
from .scrapy import Scrapy, ScrapyTutorial

__all__ = ["Crawlee", "CrawleeTutorial", "Heddle", "HeddleLua", "Scrapy", "ScrapyTutorial"]
