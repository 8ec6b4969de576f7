# Best subsets by leaps (see linear_fit.py). Arguments: a CSV with the target last, k, and the number of sets a size.
suppressMessages(library(leaps))
given <- commandArgs(trailingOnly = TRUE)
table <- as.matrix(read.csv(given[1]))
n <- ncol(table) - 1
k <- as.integer(given[2])
began <- proc.time()
found <- regsubsets(table[, 1:n], table[, n + 1], nvmax = k, nbest = as.integer(given[3]), really.big = TRUE)
seconds <- sum((proc.time() - began)[1:2])
all <- summary(found)
size <- rowSums(all$which) - 1
cat("version", as.character(packageVersion("leaps")), "\n")
cat("seconds", seconds, "\n")
for (i in seq_along(size)) cat("set", size[i], format(all$rsq[i], digits = 15), which(all$which[i, -1]) - 1, "\n")
