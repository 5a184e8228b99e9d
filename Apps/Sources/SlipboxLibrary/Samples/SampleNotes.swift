/// The notes that a new slip box begins with: they explain the program, and are linked as notes should be.
enum SampleNotes {
  struct Sample {
    let title: String
    let folder: String
    var keywords: [String] = []
    var status = Status.draft
    var isFavorite = false
    var hasPicture = false
    let text: String
  }

  static let folders = ["Start here", "Finding and keeping", "Workshop"]
  /// A folder in a folder.
  static let subfolder = (name: "Half-finished thoughts", parent: "Workshop")

  static let keywords = [
    "method": "#3b5ba9", "writing": "#40671b", "searching": "#9a4a00", "safety": "#b3261e",
    "example": "#6a4fa3",
  ]

  static let notes = [
    Sample(
      title: "Welcome to your slip box",
      folder: "Start here",
      keywords: ["method"],
      status: .archived,
      isFavorite: true,
      text: """
        A slip box is a collection of small notes that know of one another. You write a thought \
        down, tie it to the thoughts it belongs to, and later walk along the ties.

        These notes explain the program. Change them, or throw them away.

        ## A short walk

        1. What belongs on a slip: [[One thought on each slip]]
        2. How slips are tied: [[Links make the box think]]
        3. How you get them back: [[Finding things again]]
        4. How to write quickly: [[Writing without the mouse]]

        Press **Alt N** for a new note, and **?** for all keys.
        """
    ),
    Sample(
      title: "One thought on each slip",
      folder: "Start here",
      keywords: ["method", "writing"],
      status: .review,
      text: """
        A note that says one thing can be tied to many others. A note that says five things can only \
        be read from its top.

        So write short notes, in whole sentences, as if somebody else were to read them. That \
        somebody is you, next year.

        > If it needs a second heading, it may be a second slip.

        Where two notes belong together, say so: [[Links make the box think]].
        """
    ),
    Sample(
      title: "Links make the box think",
      folder: "Start here",
      keywords: ["method"],
      status: .review,
      isFavorite: true,
      text: """
        Type `[[` and a few letters of a title, and choose the note. The link leads there, and over \
        there you will see where it came from, with the sentence around it.

        A folder says where a note lies. A link says *why* one note made you think of another, and \
        that is worth more: see [[One thought on each slip]].

        A new note that nothing links to is easily forgotten. Ask of each: which note would I come \
        from when I need this one?
        """
    ),
    Sample(
      title: "Writing without the mouse",
      folder: "Start here",
      keywords: ["writing"],
      text: """
        The editor understands Markdown while you type:

        - `# ` begins a heading, `- ` a list, `1. ` a numbered list, `[ ] ` a list of things to do
        - `> ` begins a quote, three backticks a piece of code
        - `**bold**`, `*italic*`, `~~struck out~~` and single backticks for `code`
        - `#method` gives the note that keyword, and `/` puts in a table, a callout, a date

        Whatever you write is saved as you go; **Ctrl S** saves at once. More about links: \
        [[Links make the box think]].
        """
    ),
    Sample(
      title: "Finding things again",
      folder: "Finding and keeping",
      keywords: ["searching"],
      text: """
        - **Ctrl K** goes to any note, folder or keyword by a few letters of its name.
        - **Ctrl Shift F** searches all texts. Upper and lower case, and accents, make no difference.
        - Filters narrow a search: drafts, the last seven days, notes with a picture.
        - `"two words"` stand next to each other, `-word` is left out, and `tag:`, `folder:`, `is:task` or \
        `edited:>2026-01` ask for more; the sign beside the search tells all of it.
        - *Recent* has what you changed this week, *Unfiled* what lies in no folder.

        Lists can stand in the order of titles or dates, or in sections: by day, or by how far a note \
        has come. See [[From draft to archive]].
        """
    ),
    Sample(
      title: "From draft to archive",
      folder: "Finding and keeping",
      keywords: ["method"],
      status: .review,
      text: """
        A note is a **draft** while you write, up for **review** when it waits for a second look, and \
        **archived** when it has said what it had to say.

        Archived notes are not gone. They are found like all others; see [[Finding things again]].
        """
    ),
    Sample(
      title: "Keywords have colours",
      folder: "Finding and keeping",
      keywords: ["searching", "example"],
      text: """
        A keyword ties together what no folder could: notes on one subject, wherever they lie. Type a \
        name at the foot of a note; a keyword that is not there yet is made, with a colour.

        Few keywords that you use are better than many that you do not. For a tie between two notes, \
        a link says more: [[Links make the box think]].
        """
    ),
    Sample(
      title: "A note can have a picture",
      folder: "Finding and keeping",
      keywords: ["example"],
      hasPicture: true,
      text: """
        Drop a picture on a note, or choose one. It is kept as you gave it, up to 64 MB; what you see \
        here is a small copy, made when it is needed.

        The one below was drawn by the program itself.
        """
    ),
    Sample(
      title: "Nothing is lost by mistake",
      folder: "Finding and keeping",
      keywords: ["safety"],
      status: .archived,
      text: """
        - What you delete goes to the trash for thirty days.
        - After each deed there is an **Undo**, also after deleting for good.
        - Earlier versions of a text are kept while you write.
        - Two browsers that edit one note at a time get a note each, and no text is lost.
        - Without a connection you can go on reading and writing; what you wrote is sent later.

        And everything can leave: [[Your notes are yours]].
        """
    ),
    Sample(
      title: "Your notes are yours",
      folder: "Finding and keeping",
      keywords: ["safety"],
      text: """
        Every note can be saved as Markdown, HTML or RTF, and Markdown comes in again by dropping \
        files on a list.

        All of them together are one SQLite file in the folder that the program was started with, in \
        the form that Core Data has for it, unless it was started with a database. Any program with the \
        same model can open the file, also on a Mac.
        """
    ),
    Sample(
      title: "Things to try",
      folder: "Half-finished thoughts",
      keywords: ["example"],
      text: """
        - [ ] Write a note about something you read this week
        - [ ] Link it to [[One thought on each slip]]
        - [ ] Give it a keyword
        - [x] Read [[Welcome to your slip box]]
        """
    ),
  ]
}
