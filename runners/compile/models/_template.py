"""A model for `ethosu-tui compile`: change what is marked, then run

    ethosu-tui compile THIS_FILE --target ethos-u55-128 --target ethos-u85-256

The file is imported by the Python that has torch and executorch (--python, or the one that runs ethosu-tui).
"""

import torch
from torch import nn

torch.manual_seed(0)  # the same weights each time, so that the same program comes out


# 1. Your model.  Convolutions, linear layers, pooling, ReLU and additions run on every Ethos-U; GroupNorm, LayerNorm, GELU and
#    attention leave parts of a model to the CPU on an Ethos-U55.
class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, kernel_size=3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU())
        self.classifier = nn.Linear(8, 4)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        # No `if` on values of tensors: the graph is recorded once, for all inputs.
        return self.classifier(self.features(image).mean((2, 3)))


net = Net()
# Trained weights: net.load_state_dict(torch.load("weights.pt", weights_only=True))

# 2. The two names that are looked for: the model in eval mode, and a tuple with one example tensor for each argument of
#    forward().  Shapes are fixed by these (a batch of 1 is what an NPU runs), and float32 is what the quantiser takes.
ModelUnderTest = net.eval()
ModelInputs = (torch.rand(1, 3, 32, 32),)

# 3. Quantisation measures the ranges of values on ModelInputs.  Random values give wrong ranges: use real samples, stored with
#    torch.save((image,), "samples/0001.pt"), and `ethosu-tui compile THIS_FILE --calibration samples`.

# Instead of the two names, a function may make everything.  Called `model_and_inputs` it is found by itself; any other name is
# given as `ethosu-tui compile THIS_FILE:make`.
#
# def model_and_inputs():
#     samples = [(torch.rand(1, 3, 32, 32),) for _ in range(10)]  # read real ones here; leaving the third value out is fine
#     return Net().eval(), (torch.rand(1, 3, 32, 32),), samples
