import CVips
import CoreDataStrictJSON
import Foundation

/// The work of the helper, in its own process.
enum HelperJob {
  private static let memory: UInt = 1 << 30
  private static let seconds: UInt = 20

  static func perform(_ arguments: [String]) -> Never {
    guard cvips_confine(memory, seconds) else { exit(HelperStatus.failed.rawValue) }
    Studio.prepareLibrary()
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

  init(_ error: PictureError) {
    switch error {
    case .unknownKind: self = .unknownKind
    case .tooManyBytes: self = .tooManyBytes
    case .tooManyPixels: self = .tooManyPixels
    case .damaged: self = .damaged
    case .tooDear, .noHelper, .unreadable: self = .failed
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
    case .failed: throw .noHelper("the helper could not begin")
    case nil: throw .tooDear(kind)
    }
  }
}
