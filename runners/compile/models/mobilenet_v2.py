"""MobileNetV2 at width 1.0 on 224x224 images, with random weights and without torchvision.

The model that most tutorials and boards are measured with.  The network is that of Sandler et al., 2018, table 2;
the weights are random but always the same, which no figure of the compiler depends on.
"""

import torch
from torch import nn
from torch.nn import functional

torch.manual_seed(0)

STAGES = (
    # expansion, channels, blocks, stride of the first block
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def convolution(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """Convolution, batch normalisation, ReLU6."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU6(),
    )


class InvertedResidual(nn.Module):
    """Widen, filter each channel, narrow; add the input where the shapes allow it."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = inputs * expansion
        widen = [convolution(inputs, wide, 1)] if expansion > 1 else []
        self.layers = nn.Sequential(
            *widen,
            convolution(wide, wide, 3, stride, groups=wide),
            nn.Conv2d(wide, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.adds_input = stride == 1 and inputs == outputs

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        result = self.layers(features)
        return features + result if self.adds_input else result


class MobileNetV2(nn.Module):
    """224x224 colour image in, a thousand scores out."""

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = [convolution(3, 32, 3, stride=2)]
        channels = 32
        for expansion, outputs, blocks, first_stride in STAGES:
            for block in range(blocks):
                layers.append(InvertedResidual(channels, outputs, 1 if block else first_stride, expansion))
                channels = outputs
        layers.append(convolution(channels, 1280, 1))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(1280, classes)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        pooled = functional.adaptive_avg_pool2d(self.features(image), (1, 1))
        return self.classifier(torch.flatten(pooled, 1))


ModelUnderTest = MobileNetV2().eval()
ModelInputs = (torch.randn(1, 3, 224, 224),)
