/// A way in which a text says something else, or looks otherwise, once its Markdown is read.
public enum MarkdownChange: String, CaseIterable, Sendable {
  /// Lines before the text that a note cannot keep.
  case frontMatter

  /// Lines before the text that say how another program shows it, which are left out.
  case appearance

  /// A heading of level 4, 5 or 6, which becomes one of level 3.
  case heading

  /// A task with another sign than `x`, or with a number, which becomes a point of a list.
  case task

  /// A tag of HTML, which stays as it is written.
  case html

  /// A picture on the web, which becomes a link.
  case webPicture

  /// A note that the text shows inside of itself, which becomes a link.
  case embeddedNote

  /// A picture, file or note to be shown in the text that is not known, which stays as it is written.
  case missingFile

  /// A picture inside of a file of RTF, which is left out.
  case leftOutPicture
}
