import CoreDataPredicates
import Foundation
import Testing

/// `CONTAINS[cdw]` as format strings have it, and as memory answers it.
struct WordSearchTests {
  private func finds(_ title: String?, _ format: String, _ words: Any? = nil) -> Bool {
    NSPredicate(format: format, argumentArray: words.map { [$0] } ?? [])
      .evaluate(with: ["title": title ?? NSNull(), "tags": ["Crème", "brûlée"]] as [String: Any])
  }

  @Test(arguments: [
    ("title CONTAINS[w] 'x'", #"title CONTAINS[w] "x""#),
    ("title contains[wdc] 'x'", #"title CONTAINS[cdw] "x""#),
    ("ANY tags.name CONTAINS[CDW] 'x'", #"ANY tags.name CONTAINS[cdw] "x""#),
  ]) func `the letter w is an option like the others`(format: String, printed: String) {
    let tree = NSPredicate(format: format).tree
    #expect(tree.description == printed)
    #expect(NSPredicate(format: tree.description).tree == tree)
  }

  @Test func `predicates made of expressions have the option by its name`() {
    let predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "title"),
      rightExpression: NSExpression(forConstantValue: "crème"),
      modifier: .direct,
      type: .contains,
      options: [.caseInsensitive, .diacriticInsensitive, .wordBased]
    )
    #expect(predicate == NSPredicate(format: "title CONTAINS[cdw] 'crème'"))
    #expect(predicate.predicateFormat == #"title CONTAINS[cdw] "crème""#)
  }

  @Test(arguments: [
    ("title ==[w] 'x'", "the option w looks for words with CONTAINS, not with =="),
    (
      "title BEGINSWITH[cdw] 'x'", "the option w looks for words with CONTAINS, not with BEGINSWITH"
    ),
    ("'x' IN[cdw] title", "the option w looks for words with CONTAINS, not with IN"),
    ("title LIKE[w] 'x'", "the option w looks for words with CONTAINS, not with LIKE"),
    ("title CONTAINS[lw] 'x'", "the options w and l do not go together"),
    ("title CONTAINS[q] 'x'", "the option \"q\" is not one of c, d, n, l and w"),
  ]) func `where it means nothing the format says so`(format: String, problem: String) {
    #expect {
      try PredicateFormat.predicate(format)
    } throws: {
      "\($0)".contains(problem)
    }
  }

  @Test(arguments: [
    "crème", "CREME", "cre", "brul", "brûlée CRÈME", "  creme,brulee! ", "42", "4", "e\u{301}t",
    "", "-", " … ",
  ]) func `a word begins with each of the words`(words: String) {
    #expect(finds("Crème brûlée, été 42", "title CONTAINS[cdw] %@", words))
  }

  @Test(arguments: ["reme", "crèmes", "creme tea", "2", "cremebrulee", "lée"])
  func `what begins no word is not found`(words: String) {
    #expect(!finds("Crème brûlée, été 42", "title CONTAINS[cdw] %@", words))
  }

  @Test(arguments: [
    ("[w]", "Crème", true), ("[w]", "crème", false), ("[w]", "Creme", false), ("[w]", "Cr", true),
    ("[cw]", "crè", true), ("[cw]", "cre", false), ("[dw]", "Creme", true),
    ("[dw]", "creme", false),
    ("[cdw]", "creme", true), ("[ncdw]", "creme", false), ("[ncdw]", "Crème", true),
    ("[w]", "rème", false), ("[cw]", "BRÛ crÈ", true),
  ]) func `letters beside it say what else is ignored`(
    options: String,
    words: String,
    isFound: Bool
  ) {
    #expect(finds("Crème brûlée", "title CONTAINS\(options) %@", words) == isFound)
  }

  @Test func `nil has no words, not even none`() {
    #expect(!finds(nil, "title CONTAINS[cdw] %@", "a"))
    #expect(!finds(nil, "title CONTAINS[cdw] %@", ""))
    #expect(finds(nil, "NOT title CONTAINS[cdw] %@", ""))
    #expect(!finds("a", "title CONTAINS[cdw] %@", NSNull()))
  }

  @Test func `any and all look at the elements`() {
    #expect(finds("", "ANY tags CONTAINS[cdw] 'bru'"))
    #expect(!finds("", "ALL tags CONTAINS[cdw] 'bru'"))
    #expect(!finds("", "ANY tags CONTAINS[cdw] 'creme bru'"))
  }

  @Test func `a hundred words are a hundred words`() {
    let words = (1...100).map { "w\($0)x" }
    let text = words.map { $0 + "yz" }.shuffled().joined(separator: ", ")
    #expect(finds(text, "title CONTAINS[cdw] %@", words.joined(separator: " ")))
    #expect(!finds(text, "title CONTAINS[cdw] %@", words.joined(separator: " ") + " w101"))
    #expect(!finds(text, "title CONTAINS[cdw] %@", "w1y " + words.joined(separator: " ")))
  }

  @Test(arguments: [
    "\"creme brulee\"", "\"Crème brû\"", "\"brulee, été\"", "\"brûlée - ete 4\"", "\"42\"", "\"4\"",
    "\"brulee ete\" creme", "cre \"ete 42\" \"creme b\"", "\"\"", "\" - \" 42", "\"brulee creme",
    "brulee\" creme", "\"creme brulee ete 42\"",
  ]) func `words in quotation marks stand next to each other`(words: String) {
    #expect(finds("Crème brûlée, été 42", "title CONTAINS[cdw] %@", words))
  }

  @Test(arguments: [
    "\"brulee creme\"", "\"creme ete\"", "\"crem brulee\"", "\"reme brulee\"", "\"creme creme\"",
    "\"ete 42\" tea", "\"ete 42 1\"", "\"creme\" \"brulee 42\"",
  ]) func `words that stand apart are no phrase`(words: String) {
    #expect(!finds("Crème brûlée, été 42", "title CONTAINS[cdw] %@", words))
  }

  @Test(arguments: [
    ("[w]", "\"Crème brûl\"", true), ("[w]", "\"Creme brûlée\"", false),
    ("[cw]", "\"crème BRÛ\"", true), ("[dw]", "\"Creme brulee\"", true),
    ("[dw]", "\"Crè brul\"", false),
  ]) func `phrases ignore what the letters beside w say`(
    options: String,
    words: String,
    isFound: Bool
  ) {
    #expect(finds("Crème brûlée", "title CONTAINS\(options) %@", words) == isFound)
  }

  @Test func `a phrase is found where it begins twice`() {
    #expect(finds("to be to be or not", "title CONTAINS[cdw] %@", "\"to be or\""))
    #expect(finds("a a a b", "title CONTAINS[cdw] %@", "\"a a b\""))
    #expect(!finds("a a b", "title CONTAINS[cdw] %@", "\"a a a\""))
  }

  @Test func `a phrase of hundred words is looked for in parts`() {
    let words = (1...100).map { "w\($0)" }.joined(separator: " ")
    #expect(finds("then \(words) and more", "title CONTAINS[cdw] %@", "\"\(words)\""))
    let other = words.replacing("w50 w51", with: "w51 w50")
    #expect(!finds(other, "title CONTAINS[cdw] %@", "\"\(words)\""))
  }

  @Test func `in a collection there are no words to look for`() async {
    await #expect(processExitsWith: .failure) {
      _ = NSPredicate(format: "{'a b', 'c'} CONTAINS[cdw] title")
        .evaluate(with: ["title": "a"] as [String: Any])
    }
    await #expect(processExitsWith: .failure) {
      _ = NSPredicate(format: "tags CONTAINS[cdw] 'a'").evaluate(with: ["tags": ["a"]])
    }
  }
}
