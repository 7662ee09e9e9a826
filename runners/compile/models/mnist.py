"""A digit classifier that fits every Ethos-U: two convolutions and two linear layers on 28x28 grey images.

Small enough to compile in seconds, and large enough that its figures differ from target to target.  The weights are
random but always the same; the figures of the compiler do not depend on them.
"""

import torch
from torch import nn

torch.manual_seed(0)


class DigitClassifier(nn.Module):
    """28x28 image in, ten scores out."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(
            nn.Flatten(),
            nn.Linear(32 * 7 * 7, 64),
            nn.ReLU(),
            nn.Linear(64, 10),
        )

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.features(image))


ModelUnderTest = DigitClassifier().eval()
ModelInputs = (torch.rand(1, 1, 28, 28),)
