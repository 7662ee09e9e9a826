"""Models that are compiled here and by tests of real compiles, as a user's file has them."""

TWO_PARTS = """
import torch
from torch import nn

torch.manual_seed(1)

class Sorts(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, x):
        x, _ = torch.sort(torch.relu(self.first(x)), dim=-1)
        return torch.relu(self.second(x)).mean((2, 3))

ModelUnderTest = Sorts().eval()
ModelInputs = (torch.rand(1, 3, 16, 16),)
"""
