"""A keyword spotter: depthwise-separable convolutions over 49 frames of 10 MFCC features, twelve words.

The size class of always-on audio: it fits into the SRAM of the smallest Ethos-U55.  The network is the small DS-CNN of
Zhang et al., 2017 ("Hello Edge"); the weights are random but always the same.
"""

import torch
from torch import nn

torch.manual_seed(0)

CHANNELS = 64
BLOCKS = 4


def separable(channels: int) -> nn.Sequential:
    """A depthwise 3x3 convolution and a pointwise one, each normalised."""
    return nn.Sequential(
        nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False),
        nn.BatchNorm2d(channels),
        nn.ReLU(),
        nn.Conv2d(channels, channels, 1, bias=False),
        nn.BatchNorm2d(channels),
        nn.ReLU(),
    )


class KeywordSpotter(nn.Module):
    """One second of speech as 49 x 10 features in, twelve scores out."""

    def __init__(self, words: int = 12) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(1, CHANNELS, (10, 4), stride=(2, 2), padding=(5, 1), bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(),
        )
        self.blocks = nn.Sequential(*(separable(CHANNELS) for _ in range(BLOCKS)))
        self.classifier = nn.Linear(CHANNELS, words)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        # an average pool over the whole image would have a stride that no Ethos-U has
        pooled = self.blocks(self.first(features)).mean((2, 3))
        return self.classifier(pooled)


ModelUnderTest = KeywordSpotter().eval()
ModelInputs = (torch.randn(1, 1, 49, 10),)
