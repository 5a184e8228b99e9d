import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Names of works in a text, and the list at its end.
struct ReferenceListTests {
  private func list(_ bib: String) throws -> ReferenceList {
    let file = try #require(try ReferenceFile.read(Data(bib.utf8), named: "a.bib"))
    #expect(file.problems == [])
    return ReferenceList(file.references)
  }

  private func lines(_ list: ReferenceList) -> [String] {
    list.works.map { work in
      work.line.map { piece in
        guard case .text(let text, let marks) = piece else { return "" }
        return marks.styles.contains(.italic) ? "*\(text)*" : text
      }.joined()
    }
  }

  @Test func `each kind of work has its line`() throws {
    let list = try list(
      """
      @article{a, author = {Doe, Jane and Roe, Richard}, title = {Do slots fire?}, journal = {Journal of Slots},
        volume = 3, number = 1, pages = {1--9}, year = 2020, doi = {10.1000/1}}
      @book{b, author = {van Eck, Jan}, title = {Slots}, edition = 2, address = {Vienna}, publisher = {Example Press}, year = 1999}
      @incollection{c, author = {Ash, A.}, title = {A part}, booktitle = {The whole}, editor = {Bay, B. and Cox, C.},
        pages = {5-7}, publisher = {P}, year = 2001}
      @phdthesis{d, author = {Zed, Z.}, title = {On seats}, school = {University of S.}, year = 2010}
      @online{e, title = {A page}, url = {https://example.org/a}, date = {2022-02-02}}
      @book{f, editor = {Fox, F.}, title = {Edited}}
      """
    )
    #expect(
      lines(list) == [
        "“A page.” 2022. https://example.org/a.",
        "Ash, A. 2001. “A part.” In *The whole*, edited by B. Bay and C. Cox, 5–7. P.",
        "Doe, Jane, and Richard Roe. 2020. “Do slots fire?” *Journal of Slots* 3 (1): 1–9. https://doi.org/10.1000/1.",
        "Fox, F., ed. n.d. *Edited*.",
        "van Eck, Jan. 1999. *Slots*. 2nd ed. Vienna: Example Press.",
        "Zed, Z. 2010. “On seats.” PhD thesis, University of S.",
      ]
    )
    #expect(
      list.works.map { "\($0.name.authors) \($0.name.year)" } == [
        "“A page” 2022", "Ash 2001", "Doe and Roe 2020", "Fox n.d.", "van Eck 1999", "Zed 2010",
      ]
    )
  }

  @Test func `works that would have the same name get letters`() throws {
    let list = try list(
      """
      @book{x, author = {Doe, J. and Roe, R. and Poe, P.}, title = {B}, year = 2020}
      @book{y, author = {Doe, J. and others}, title = {A}, year = 2020}
      @book{z, author = {Doe, J.}, title = {C}, year = 2020}
      @book{u, author = {Doe, J.}, title = {D}}
      @book{v, author = {Doe, J.}, title = {E}}
      """
    )
    #expect(
      Set(list.works.map { "\($0.key) \($0.name.authors) \($0.name.year)" }) == [
        "y Doe et al. 2020a", "x Doe et al. 2020b", "z Doe 2020", "u Doe n.d.-a", "v Doe n.d.-b",
      ]
    )
  }

  @Test func `of many people the first are named`() throws {
    let people = (1...12).map { "Doe\($0), J." }.joined(separator: " and ")
    let list = try list("@book{x, author = {\(people)}, title = {B}, year = 2020}")
    #expect(
      lines(list) == [
        "Doe1, J., J. Doe2, J. Doe3, J. Doe4, J. Doe5, J. Doe6, J. Doe7 et al. 2020. *B*."
      ]
    )
  }

  @Test func `CSL JSON is read as its like of BibTeX`() throws {
    let json = #"""
      [{"id": "doe2020", "type": "article-journal", "title": "The <i>slots</i> of 1 < 2",
        "author": [{"family": "Berg", "given": "L.", "non-dropping-particle": "van der"}, {"literal": "Union"}],
        "issued": {"date-parts": [["2020", 5]]}, "container-title": "J", "volume": 3, "page": "1-2", "DOI": "10.1000/2"},
       {"id": 7, "type": "book", "title": "T", "issued": {"raw": "1999-01"}, "URL": "javascript:alert(1)"},
       {"type": "book"}, 5, {"id": "doe2020", "type": "book"}]
      """#
    for name in ["a.csl.json", "a.JSON"] {
      let file = try #require(try ReferenceFile.read(Data(json.utf8), named: name))
      #expect(file.references.map(\.key) == ["doe2020", "7"])
      #expect(file.problems.map(\.place) == ["entry 3", "entry 4", "entry 5"])
      #expect(
        lines(ReferenceList(file.references)) == [
          "*T*. 1999.",
          "van der Berg, L., and Union. 2020. “The slots of 1 < 2.” *J* 3: 1–2. https://doi.org/10.1000/2.",
        ]
      )
    }
  }

  @Test(arguments: ["{}", "[]", "[1]", #"[{"id": "x"}]"#, "[", "", #"{"type": "excalidraw"}"#])
  func `other JSON has no references`(_ json: String) throws {
    #expect(try ReferenceFile.read(Data(json.utf8), named: "a.json") == nil)
    let meant = try #require(try ReferenceFile.read(Data(json.utf8), named: "a.csl.json"))
    #expect(meant.references.filter { $0.key != "x" } == [])
  }

  @Test func `damaged CSL JSON never ends the program`() throws {
    let json =
      #"[{"id": "a", "type": "book", "author": [{"family": "B"}], "issued": {"date-parts": [[1]]}}]"#
    var random = SeededNumbers(7)
    for _ in 0..<2_000 {
      let bytes = DamagedExportTests.damaged(Data(json.utf8), &random)
      let file = try ReferenceFile.read(bytes, named: "a.csl.json")
      _ = ReferenceList(file?.references ?? [])
    }
  }
}
