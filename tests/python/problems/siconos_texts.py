# SPDX-License-Identifier: BSD-2-Clause
"""Siconos .dat files, written by hand: one for each storage and form."""

# One contact, rows (N, T1, T2) in the file. W = [[10 1.02 2.04], [1 11 3.06], [2 3 12]] is not quite symmetric, as happens
# with gyroscopic terms: a transposed reading shows.
DENSE = """3
1
0
3
3
3\t3
10 1 2
1.02e0 11 3 2.04 3.06
12
10 20 30
0.5
0
"""
BLOCK = """3 1
1
3 3
1
1 1
3
3
2 1
0 1
0
0
10
1
2
1.02
11
3
2.04
3.06
12
 1.000000000000000000000000e+01   2.0e+01  3.0e+01
0.5
# a comment may follow
"""
COLUMNS = """3
1
2
3
3
2
CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016
3-by-3, nzmax: 9 nnz: 9, 1-norm: 18
    col 0 : locations 0 to 2
      0 : 10
      1 : 1
      2 : 2
    col 1 : locations 3 to 5
      0 : 1.02
      1 : 11
      2 : 3
    col 2 : locations 6 to 8
      0 : 2.04
      1 : 3.06
      2 : 12
10 20 30
0.5
"""
ROWS = """3 1
2 3 3
3
CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016
csr: 3-by-3, nzmax: 9 nnz: 9, 1-norm: 18
    row 0 : locations 0 to 2
      0 : 10
      1 : 1.02
      2 : 2.04
    row 1 : locations 3 to 5
      0 : 1
      1 : 11
      2 : 3.06
    row 2 : locations 6 to 8
      0 : 2
      1 : 3
      2 : 12
10 20 30 0.5
"""
TRIPLETS = """3 1
2 3 3
1
CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016
triplet: 3-by-3, nzmax: 9 nnz: 9
    0 0 : 10
    1 0 : 1
    2 0 : 2
    0 1 : 1.02
    1 1 : 11
    2 1 : 3
    0 2 : 2.04
    1 2 : 3.06
    2 2 : 12
10 20 30 0.5
"""
# Two contacts that share a body: blocks (0, 1) and (1, 0) are 1..9 column by column and its transpose.
TWO = """3 2
1
6 6
4
2 2
3 6
3 6
3 4
0 2 4
0 1 0 1
0 20 0 0 0 20 0 0 0 20
1 1 2 3 4 5 6 7 8 9
2 1 4 7 2 5 8 3 6 9
3 30 0 0 0 30 0 0 0 30
1 2 3 4 5 6
0.1 0.2
"""
GLOBAL = """3
1
0
3
3
3\t3
2 0 0 0 4 0 0 0 8
0
3
3
3\t3
1 0 0
1 1 0
0 0 1
-2 -4 -8
0.5 0.25 0
0.1
0
"""
UPPER = """3 1
2 3 3
1
banner
triplet: 3-by-3, nzmax: 5 nnz: 5
    0 0 : 4
    0 1 : 1
    1 1 : 4
    1 2 : 1
    2 2 : 4
0 3 3
3 3
1 0 0 0 1 0 0 0 1
1 2 3
0 0 0
0.3
"""
# Cottle, Pang and Stone: M = [0 -1 2; 2 0 -2; -1 1 0], written column by column; its solution is (0, 1, 3).
CPS_2 = """3
0
3
3
3\t3
0 2 -1
-1 0 1
2 -2 0
-3 6 -1
"""
