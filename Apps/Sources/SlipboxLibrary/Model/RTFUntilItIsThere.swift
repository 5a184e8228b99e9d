import Foundation
import RichText

extension RichText {
  var rtf: Data { Data(("{\\rtf1\\ansi " + plainText + "}").utf8) }
  init(rtf: Data) throws { self.init(plainText: "") }
}
