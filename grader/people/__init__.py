"""What people say of runs: labels, how they are asked for, kept and exchanged, and how well a judge agrees with them."""
