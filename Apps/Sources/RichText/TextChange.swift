/// A way in which a text says something else, or looks otherwise, once its file is read.
public enum TextChange: String, CaseIterable, Sendable {
  /// Lines before the text that a note cannot keep.
  case frontMatter

  /// Lines before the text that say how another program shows it, which are left out.
  case appearance

  /// A task with another sign than `x`, or with a number, which becomes a point of a list.
  case task

  /// A tag of HTML, which stays as it is written.
  case html

  /// A picture on the web, which becomes a link.
  case webPicture

  /// A note that the text shows in a sentence or a cell, and not on a line of its own, which becomes a link.
  case embeddedNote

  /// A picture, file or note to be shown in the text that is not known, which stays as it is written.
  case missingFile

  /// A picture inside of a file of RTF, or a drawing in a page, which is left out.
  case leftOutPicture

  /// Words of RTF beside its text, in text boxes, headers, footers and comments, and hidden ones, which are left out.
  case leftOutText

  /// A link to a place that is not imported, or that would run a program: only its words stay.
  case link

  /// A link around a picture, whose address is left out.
  case pictureLink

  /// A film, a sound or a page inside of a page, which becomes a link.
  case embeddedPage

  /// A cell of a table that spans several columns or rows, which becomes a single one.
  case mergedCells

  /// Lists, paragraphs or code in a cell of a table, which become lines of it.
  case cellBlocks

  /// A formula of MathML, of which only the letters stay.
  case formula

  /// The fields of a form, which are left out.
  case formField

  /// Colours, typefaces, sizes and sides of words, which are left out.
  case looks

  /// The places of cards on a plane, which are below each other now.
  case places

  /// Facts that another program keeps about a note, such as its author and place, which are left out.
  case facts
}
