# Sets found by bnlearn for every target of one sample, with CPU seconds.
# Run: Rscript bnlearn_sets.R SAMPLE.csv TARGETS.txt discrete|numeric
suppressMessages(library(bnlearn))
arguments <- commandArgs(trailingOnly = TRUE)
numeric <- arguments[3] == "numeric"
table <- read.csv(arguments[1], colClasses = if (numeric) "numeric" else "factor")
targets <- readLines(arguments[2])
blanket <- c("gs", "iamb", "inter.iamb", "fast.iamb")
near <- c("mmpc", "si.hiton.pc")
cat("version", as.character(packageVersion("bnlearn")), as.character(getRversion()), "\n")
for (test in if (numeric) "cor" else c("mi", "mi-adf")) {
  for (method in c(blanket, near)) {
    began <- proc.time()
    found <- lapply(targets, function(target) {
      if (method %in% blanket) learn.mb(table, target, method = method, test = test, alpha = 0.01)
      else learn.nbr(table, target, method = method, test = test, alpha = 0.01, max.sx = 3)
    })
    spent <- sum((proc.time() - began)[c("user.self", "sys.self")])
    cat("cpu", test, method, spent, "\n")
    for (i in seq_along(targets)) cat("set", test, method, targets[i], found[[i]], "\n")
  }
}
