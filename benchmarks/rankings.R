# Rank by praznik: CPU seconds, memory on top of the table, and the features (see rankings.py).
# Arguments: file of integers (rows, features, k, then columns of the features, then the classes), repeats.
suppressMessages(library(praznik))
given <- commandArgs(trailingOnly = TRUE)
file <- file(given[1], "rb")
head <- readBin(file, "integer", 3)
rows <- head[1]
columns <- lapply(seq_len(head[2]), function(j) factor(readBin(file, "integer", rows)))
target <- factor(readBin(file, "integer", rows))
table <- structure(columns, class = "data.frame", row.names = .set_row_names(rows))
names(table) <- paste0("x", seq_along(columns) - 1)

# Megabytes of this process: the most since the last reset, or now
memory <- function(field) {
  lines <- tryCatch(readLines("/proc/self/status"), error = function(e) character(0))
  line <- grep(field, lines, value = TRUE)
  if (length(line)) as.numeric(gsub("[^0-9]", "", line)) / 1024 else NA
}

cat("versions", as.character(packageVersion("praznik")), as.character(getRversion()), "\n")
for (name in c("MIM", "MRMR", "JMI", "CMIM", "DISR")) {
  seconds <- Inf
  invisible(gc())
  try(cat("5", file = "/proc/self/clear_refs"), silent = TRUE)
  before <- memory("VmRSS")
  for (repeated in seq_len(as.integer(given[2]))) {
    began <- proc.time()
    found <- get(name)(table, target, k = head[3], threads = 1)
    seconds <- min(seconds, sum((proc.time() - began)[1:2]))
  }
  cat(tolower(name), seconds, memory("VmHWM") - before, names(found$selection), "\n")
}
