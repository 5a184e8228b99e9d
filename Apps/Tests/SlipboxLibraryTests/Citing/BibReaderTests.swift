import Foundation
import Testing

@testable import SlipboxLibrary

/// Files of BibTeX and BibLaTeX.
struct BibReaderTests {
  private func file(_ text: String) throws -> ReferenceFile {
    try #require(try ReferenceFile.read(Data(text.utf8), named: "Library.BIB"))
  }

  private func only(_ text: String) throws -> Reference {
    let file = try file(text)
    #expect(file.problems == [])
    return try #require(file.references.first)
  }

  @Test func `an article has its people, title, periodical and pages`() throws {
    let work = try only(
      #"""
      % Encoding: UTF-8
      @Article{doe_slots-2020,
        Author    = {Doe, Jane and Ludwig van der Berg and Poe, Jr., Edgar A. and {World Slot Union} and others},
        TITLE     = "The {S}lots of M{\"u}nster -- an {\'E}tude \& more",
        journal   = {Journal of ``Slots''},
        year      = 2020,
        month     = mar,
        volume    = 3, number = {1-2},
        pages     = {12--34},
        doi       = {https://doi.org/10.1000/a_b--c},
        abstract  = {With an @ sign, a % sign and {braces {in braces}}},
      }
      """#
    )
    #expect(work.key == "doe_slots-2020")
    #expect(work.kind == .article)
    #expect(
      work.authors.list == [
        .init(family: "Doe", given: "Jane"), .init(family: "van der Berg", given: "Ludwig"),
        .init(family: "Poe", given: "Edgar A.", suffix: "Jr."), .init(family: "World Slot Union"),
      ]
    )
    #expect(work.authors.hasOthers)
    #expect(work.title == "The Slots of Münster – an Étude & more")
    #expect(work.container == "Journal of “Slots”")
    #expect([work.year, work.volume, work.issue, work.pages] == ["2020", "3", "1-2", "12–34"])
    #expect(work.doi == "10.1000/a_b--c")
  }

  @Test func `abbreviations, joined values and parentheses are read`() throws {
    let file = try file(
      #"""
      @string{press = "Example" # " Press"}
      @STRING(town = {Vienna})
      @preamble{"\newcommand{\x}{@book{no, title={No}}}"}
      @comment{@book{neither, title = {No}}}
      Words between entries, with jane@example.org in them.
      @book(roe, title = {One} # " and " # {Two}, publisher = press # {, } # town, date = {1999-05-12/2001},
        edition = 2, subtitle = {Parts})
      @misc{bare}
      """#
    )
    #expect(file.problems == [])
    #expect(file.references.map(\.key) == ["roe", "bare"])
    #expect(file.references[0].title == "One and Two: Parts")
    #expect(file.references[0].publisher == "Example Press, Vienna")
    #expect(file.references[0].year == "1999")
  }

  @Test func `a part has what it lacks from its book`() throws {
    let file = try file(
      """
      @inproceedings{part, author = {Doe, J.}, title = {A part}, crossref = {all}, pages = {1-2}}
      @proceedings{all, title = {All parts}, editor = {Roe, R.}, year = 2001, publisher = {P}, pages = {1-900}}
      """
    )
    let part = try #require(file.references.first)
    #expect([part.container, part.year, part.publisher] == ["All parts", "2001", "P"])
    #expect(part.title == "A part")
    #expect(part.pages == "1–2")
    #expect(part.editors.list.map(\.family) == ["Roe"])
  }

  @Test(arguments: [
    (#"\'{e}\`a\^o\"u\~n\c{c}\v{s}\H{o}\k a\r{a}"#, "éàôüñçšőąå"),
    (#"{\'\i}{\ss}{\O}{\l}ód\'z {\ae}r\o"#, "íßØłódź ærø"),
    (##"A\&B 5\% \$3 \#1 a\_b \{x\}"##, "A&B 5% $3 #1 a_b {x}"),
    (
      #"\emph{Slots} \textit{in {the} wild} \url{https://a.b/~c}"#,
      "Slots in the wild https://a.b/ c"
    ),
    (#"\href{https://a.b}{Words} a~b --- c"#, "Words a b — c"),
    (#"``Quoted'' isn't `it'"#, "“Quoted” isn’t ‘it’"),
    (#"$\alpha$-slots and \LaTeX{} too"#, "α-slots and LaTeX too"),
    ("\\", ""), (#"\'"#, ""), (#"a\\b"#, "a b"), ("{{}}", ""), ("Plain", "Plain"),
  ])
  func `commands of TeX become letters`(_ written: String, _ text: String) {
    #expect(Reference.tidy(TeX.text(of: Array(written.utf8))) == text)
  }

  @Test func `an entry that cannot be read is left out and named, and the others are read`() throws
  {
    let file = try file(
      """
      @book{one, title = {One}}
      @book{two, title = {Two}
        year 1999}
      @book{three, title = {Three
      @book{four, title = {Four}}
      @book{five title = {Five}}
      @book{, title = {Six}}
      @book{one, title = {Seven}}
      @book{eight, title = {Eight}
      """
    )
    #expect(file.references.map(\.key) == ["one", "four"])
    #expect(
      file.problems.map { "\($0.place) \($0.sentence.prefix(18))" } == [
        "line 2 “two” is left out:", "line 4 “three” is left ou", "line 6 “five title = {Fiv",
        "line 7 An entry has no ke", "line 9 “eight” is left ou", "line 8 “one” is there twi",
      ]
    )
    #expect(file.problems.last?.sentence.hasSuffix("The one in line 1 is used.") == true)
  }

  @Test func `files of other encodings are read`() throws {
    let old = Data("@book{k, title = {M".utf8) + [0xFC] + Data("nster}}".utf8)
    #expect(try ReferenceFile.read(old, named: "a.bib")?.references.first?.title == "Münster")
    let marked = Data([0xEF, 0xBB, 0xBF]) + Data("@book{k, title = {Ü}}\r\n".utf8)
    #expect(try ReferenceFile.read(marked, named: "a.bibtex")?.references.first?.title == "Ü")
  }

  @Test func `values have bounds`() throws {
    let deep = String(repeating: "{", count: 500) + String(repeating: "}", count: 500)
    let long = String(repeating: "word ", count: 100_000)
    // Each abbreviation is twice as long as the one before.
    let doubled = (1...40).map { "@string{s\($0) = s\($0 - 1) # s\($0 - 1)}" }
    let file = try file(
      (["@string{s0 = {0123456789}}"] + doubled + [
        "@book{deep, title = \(deep)}", "@book{long, title = {\(long)}}",
        "@book{many, title = {\(long.prefix(300_000))}, author = {\(Array(repeating: "Doe, J.", count: 3_000).joined(separator: " and "))}}",
        "@book{\(String(repeating: "k", count: 300)), title = {Key}}",
      ]).joined(separator: "\n")
    )
    let work = try #require(file.references.first)
    #expect(file.references.map(\.key) == ["many"])
    #expect(work.title.count <= Reference.longestValue)
    #expect(work.authors.list.count == Reference.mostNames)
    #expect(work.authors.hasOthers)
    let sentences = [
      "more than 400000 bytes", "more than 200 times", "has more than 400000", "no key",
    ]
    #expect(file.problems.count == sentences.count)
    for (problem, sentence) in zip(file.problems, sentences) {
      #expect(problem.sentence.contains(sentence))
    }
    let broken = try self.file(String(repeating: "@book{b, title = {\n", count: 30))
    #expect(broken.problemCount == 30)
    #expect(broken.problems.count == ReferenceFile.mostProblems)
    let large = Data(count: Reference.mostBytes + 1)
    #expect(try ReferenceFile.read(large, named: "a.bib")?.problems.count == 1)
    #expect(try ReferenceFile.read(large, named: "a.json") == nil)
  }

  /// An entry of each kind, damaged by chance.
  private static let sample = #"""
    @string{p = "Press" # { of } # "Slots"}
    @article{doe2020, author = {Doe, Jane and M{\"u}ller, {\'E}. and others}, title = {A {B} $x$ \emph{c}},
      journal = "J", year = 2020, month = jan # "~1", pages = {1--2}}
    @inbook(roe, crossref = {doe2020}, title = p, date = {2001-01-01/..})
    @comment{x}
    """#

  @Test func `damaged files never end the program, and say what is wrong`() throws {
    var random = SeededNumbers(20_201)
    var (read, wrong) = (0, 0)
    for _ in 0..<3_000 {
      let bytes = DamagedExportTests.damaged(Data(Self.sample.utf8), &random)
      let file = try #require(try ReferenceFile.read(bytes, named: "a.bib"))
      _ = ReferenceList(file.references)
      read += file.references.count
      wrong += file.problemCount
    }
    #expect(read > 3_000)
    #expect(wrong > 300)
  }

  /// The processor time of this thread; tests beside this one do not count.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test func `the time is in proportion to the length of the file`() throws {
    let pieces = [
      "@book{a, title={", "@book{a, title=\"", "@a{", "{", "@comment(", "\n @a{b", "@string{a={b}}",
      "@book{a,title=a#", "@book{k,x={{{}}}}\n", "\\", "@book{k, author={a and }}\n", "}",
    ]
    for piece in pieces {
      func time(_ count: Int) throws -> Duration {
        let data = Data(String(repeating: piece, count: count).utf8)
        let start = Self.processorTime
        _ = try ReferenceFile.read(data, named: "a.bib")
        return Self.processorTime - start
      }
      let (short, long) = (try time(2_000), try time(16_000))
      #expect(long < max(short * 24, .milliseconds(500)), "\(piece): \(short), \(long)")
    }
  }
}
