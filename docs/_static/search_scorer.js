// What is found first: pages of the guide, then the others, then single names of the reference.
var Scorer = {
  score: (result) => {
    const [page, , , , score] = result;
    if (page === "start" || page.startsWith("guide/")) return score + 20;
    return page.startsWith("reference/") ? score - 10 : score;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
