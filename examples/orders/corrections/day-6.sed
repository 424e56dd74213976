# Keeps the header and two rows of the open rejects of day 6, corrected.
1p
/,A-1932,/{
s/,A-1932,n\/a,/,A-1932,C-041,/
p
}
/,A-1933,/{
s/"1,200.00"/1200.00/
p
}
