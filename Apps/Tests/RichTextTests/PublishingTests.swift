import Foundation
import RichText
import Testing

/// Texts as everybody reads them who has a link to their note.
@Suite struct PublishingTests {
  private let titles: (String) -> UUID? = { $0 == "Slots" ? .slots : nil }

  private func page(_ markdown: String, title: String = "Title") -> String {
    let text = RichText(markdown: markdown, noteNamed: titles).forEverybody
    let files = PageFiles(picture: { _ in nil }, file: { _ in .name })
    return text.publishedPage(title: title, picture: nil, files: files, language: "de")
  }

  @Test(arguments: [
    ("See [[Slots]], [[Slots#Firing|how]] and [[Later|soon]].", "<p>See Slots, how and soon.</p>"),
    ("![[Slots]]\n\n> ![[Slots#Firing]]\n>\n> so", "<blockquote>\n<p>so</p>\n</blockquote>"),
    ("![[Later]]\n\n![[Later#Part|words]]\n\nso", "<p>so</p>"),
    ("one %%Ask Anna.%% two", "<p>one  two</p>"),
    ("%%to myself\n\nAsk Anna.\n\nuntil here%%\n\nso", "<p>so</p>"),
    ("| a %%Anna%% |\n| --- |\n| [[Slots]] |", "<td>Slots</td>"),
    ("> [!tip] Mind %%Anna%%\n> so", "<p class=\"callout-title\">Mind </p>"),
    ("[a book](zotero://select/items/1)", "<p>a book</p>"),
    ("[mine](file:///Anna/a.pdf)", "<p>mine</p>"),
    (
      "[a page](https://example.org)",
      "<a href=\"https://example.org\" rel=\"noopener noreferrer\">a page</a>"
    ),
    ("said[^a] %%and[^b]%%\n\n[^a]: In May.\n\n[^b]: By Anna.", "<p>In May.</p>"),
  ])
  func `a page has nothing that is for the writer alone`(_ markdown: String, _ part: String) {
    let page = page(markdown)
    #expect(page.contains(part), "\(page)")
    for hidden in ["Anna", "anna", "note:", "data-note", "%%", "Firing", "Later", "zotero", "[["] {
      #expect(!page.contains(hidden), "\(hidden) in \(page)")
    }
    #expect(page.contains("<html lang=\"de\">") && page.contains("<h1>Title</h1>"))
    #expect(!page.contains("<script"))
  }

  @Test func `what an embed shows says nothing in its place`() {
    #expect(page("before\n\n![[Slots]]\n\nafter").contains("<p>before</p>\n<p>after</p>"))
    #expect(RichText(markdown: "![[Slots]]", noteNamed: titles).forEverybody == RichText())
  }

  @Test(arguments: [("", "Words of it"), ("", ""), ("A & B", "x")])
  func `a page has a name`(_ title: String, _ words: String) {
    let name = title.isEmpty ? (words.isEmpty ? "Note" : words) : "A &amp; B"
    #expect(page(words, title: title).contains("<title>\(name)</title>"))
  }

  @Test func `pictures and files have addresses of the page`() {
    let id = UUID.slots
    let text = RichText([
      .picture(.init(file: id, caption: "", width: nil)),
      .file(.init(file: id, name: "a\"b.pdf")),
    ])
    let download = PageFiles {
      .init(address: "/p/s/files/\($0)", name: "tree.png")
    } file: {
      .download(address: "/p/s/files/\($0)")
    }
    let page = text.forEverybody.publishedPage(
      title: "",
      picture: .init(address: "/p/s/files/picture", name: "below"),
      files: download,
      language: nil
    )
    #expect(page.contains("<img src=\"/p/s/files/\(id)\" alt=\"tree.png\">"))
    #expect(page.contains("📎 <a href=\"/p/s/files/\(id)\" download>a&quot;b.pdf</a>"))
    #expect(page.contains("<img src=\"/p/s/files/picture\" alt=\"below\">"))
    #expect(page.contains("img-src 'self'; media-src 'self'") && !page.contains("data:"))
  }
}
