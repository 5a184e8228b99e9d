import CVips
import CoreDataStrictJSON
import Foundation

/// The work of the helper, in its own process.
enum HelperJob {
  private static let memory: UInt = 1 << 30
  private static let seconds: UInt = 20

  static func perform(_ arguments: [String]) -> Never {
    guard cvips_confine(memory, seconds) else { exit(HelperStatus.failed.rawValue) }
    if arguments.first == "pdf-text", let tool = arguments.last { become(tool, textOptions) }
    if arguments.first == "word", let tool = arguments.last { become(tool, wordOptions) }
    Studio.prepareLibrary()
    if arguments.first == "pdf-pages" || arguments.first == "pdf-page" { performPDF(arguments) }
    do throws(PictureError) {
      write(try answer(arguments))
      exit(HelperStatus.done.rawValue)
    } catch {
      if case .tooManyPixels(let size) = error { write(Data(size.text.utf8)) }
      exit(HelperStatus(error).rawValue)
    }
  }

  private static func answer(_ arguments: [String]) throws(PictureError) -> Data {
    let picture = try OpenPicture(input())
    if arguments.first == "thumbnail", let text = arguments.last,
      let side = WholeNumber.read(text, within: Int.min...Int.max)
    {
      return try picture.thumbnail(longestSide: side)
    }
    try picture.readToItsEnd()
    return Data(picture.size.text.utf8)
  }

  private static func performPDF(_ arguments: [String]) -> Never {
    do {
      let pdf = try OpenPDF(input())
      let numbers = arguments.dropFirst().map { WholeNumber.read($0, within: 0...1_000_000) ?? 0 }
      write(
        numbers.count == 2
          ? try pdf.page(numbers[0], longestSide: numbers[1]) : Data("\(pdf.pageCount)".utf8)
      )
      exit(HelperStatus.done.rawValue)
    } catch let error as PDFError {
      exit(HelperStatus(error).rawValue)
    } catch {
      exit(HelperStatus.failed.rawValue)
    }
  }

  /// Goes on as another program, with the same limits.
  private static func become(_ tool: String, _ options: [String]) -> Never {
    var words: [UnsafeMutablePointer<CChar>?] = []
    for word in [tool] + options { words.append(strdup(word)) }
    execv(tool, words + [nil])
    exit(HelperStatus.noTool.rawValue)
  }

  /// For the program that reads texts of PDFs.
  private static let textOptions = [
    "-q", "-enc", "UTF-8", "-eol", "unix", "-l", "\(PDFFile.textPageLimit)", "-", "-",
  ]

  private static let wordOptions = ["--from=html", "--to=docx", "--output=-"]

  private static func input() throws(PictureError) -> Data {
    do {
      return try FileHandle.standardInput.read(upToCount: Picture.byteLimit + 1) ?? Data()
    } catch {
      throw .unreadable(file: "standard input")
    }
  }

  private static func write(_ data: Data) {
    // If there is no reader any more, nobody needs it.
    try? FileHandle.standardOutput.write(contentsOf: data)
  }
}

/// The statuses by which the helper reports the problem.
enum HelperStatus: Int32 {
  case done = 0
  case unknownKind = 10
  case tooManyBytes = 11
  case tooManyPixels = 12
  case damaged = 13
  case failed = 14
  case noPage = 15
  case noReader = 16
  case noTool = 17

  init(_ error: PictureError) {
    switch error {
    case .unknownKind: self = .unknownKind
    case .tooManyBytes: self = .tooManyBytes
    case .tooManyPixels: self = .tooManyPixels
    case .damaged: self = .damaged
    case .tooDear, .noHelper, .unreadable: self = .failed
    }
  }

  init(_ error: PDFError) {
    switch error {
    case .damaged: self = .damaged
    case .noPage: self = .noPage
    case .tooLarge: self = .tooManyBytes
    case .noReader: self = .noReader
    case .noTool: self = .noTool
    case .tooDear, .noHelper: self = .failed
    }
  }

  /// The error that a status means for a PDF; `nil` if all went well.
  ///
  /// The program that reads texts has statuses of its own, all of which mean that it cannot read the file.
  static func pdfError(_ status: Int32?, page: Int) -> PDFError? {
    guard let status else { return .tooDear }
    return switch HelperStatus(rawValue: status) {
    case .done: nil
    case .noPage: .noPage(page)
    case .tooManyBytes: .tooLarge
    case .noReader: .noReader
    case .noTool: .noTool
    case .failed: .noHelper("the helper could not begin")
    case .unknownKind, .tooManyPixels, .damaged, nil: .damaged
    }
  }

  /// The error that a status means for a document; `nil` if there is one.
  ///
  /// Pandoc has statuses of its own.
  static func wordError(_ status: Int32?, _ output: Data) -> WordError? {
    guard let status else { return .tooDear }
    return switch HelperStatus(rawValue: status) {
    case .done: output.starts(with: "PK".utf8) ? nil : .refused
    case .noTool: .noTool
    case .failed: .noHelper("the helper could not begin")
    case .unknownKind, .tooManyBytes, .tooManyPixels, .damaged, .noPage, .noReader, nil: .refused
    }
  }

  /// The helper's answer, or the error that it means; nil for a helper that was ended by a limit.
  static func result(
    _ status: Int32?,
    _ output: Data,
    _ kind: PictureKind
  ) throws(PictureError)
    -> Data
  {
    switch status.flatMap(HelperStatus.init) {
    case .done: return output
    case .unknownKind: throw .unknownKind
    case .tooManyBytes: throw .tooManyBytes(Picture.byteLimit + 1)
    case .tooManyPixels:
      guard let size = PictureSize(text: output) else { throw .damaged(kind) }
      throw .tooManyPixels(size)
    case .damaged: throw .damaged(kind)
    case .failed, .noPage, .noReader, .noTool: throw .noHelper("the helper could not begin")
    case nil: throw .tooDear(kind)
    }
  }
}
