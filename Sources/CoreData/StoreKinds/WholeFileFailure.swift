import Foundation

/// A store's file that cannot be read whole or written whole: which one, and why.
struct WholeFileFailure: Hashable {
  let cause: Cause
  let path: String

  init(_ cause: Cause, path: String) {
    self.cause = cause
    self.path = path
  }

  enum Cause: Hashable {
    /// The file is damaged, or something else: the defect, as in "line 7: \">\" is missing".
    case damaged(String)
    /// The file has objects that the model or this store cannot have.
    case unfitting(String)
    /// The objects of this store do not go into another file: the problem.
    case uncopyable(String)
    /// The objects or the metadata have a content that no file of this kind can have, as a clause.
    case unwritable(String)
    /// The model has a part that no file of this kind keeps, whatever its contents are.
    case unkeepableModel(String)
    /// The system refused; its number for the reason, and the operation.
    case system(Int32, doing: String)
    /// Somebody else has written the file since it was read.
    case changedMeanwhile
  }

  var error: NSError {
    var userInfo: [String: Any] = [NSFilePathErrorKey: path]
    if case .system(let number, _) = cause {
      userInfo[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(number))
    }
    return text.error(code: code, userInfo: userInfo)
  }

  private var code: Int {
    switch cause {
    case .damaged, .unfitting, .uncopyable: CocoaError.fileReadCorruptFile.rawValue
    case .unkeepableModel: NSPersistentStoreOpenError
    case .system(let number, _):
      switch number {
      case ENOSPC, EDQUOT, EFBIG: CocoaError.fileWriteOutOfSpace.rawValue
      case EACCES, EPERM, EROFS: CocoaError.fileWriteNoPermission.rawValue
      case ENOENT: CocoaError.fileNoSuchFile.rawValue
      default: CocoaError.fileWriteUnknown.rawValue
      }
    case .unwritable, .changedMeanwhile: NSPersistentStoreSaveError
    }
  }

  private var text: FailureText {
    switch cause {
    case .damaged(let reason):
      FailureText(
        description: "The file is not a Core Data store.",
        reason: "\(path) is there, but \(reason).",
        suggestion: "Choose another file; this one was not changed."
      )
    case .unfitting(let reason):
      FailureText(
        description: "The store cannot be opened.",
        of: path,
        reason,
        advice: "Mend the file, or open it with the model it was made with."
      )
    case .uncopyable(let reason):
      FailureText(
        description: "The store could not be copied.",
        of: path,
        reason,
        advice: "Repair the store, and copy it then."
      )
    case .unwritable(let reason):
      FailureText(
        description: "The file could not be written.",
        of: path,
        reason,
        advice: "Change what cannot be in it, or use a SQLite store. Nothing was written."
      )
    case .unkeepableModel(let reason):
      FailureText(
        description: "This type of store cannot keep the model.",
        of: path,
        reason,
        advice: "Open a SQLite store, which keeps every model, or change the model."
      )
    case .system(let number, let doing):
      FailureText(
        description: "The changes could not be saved.",
        of: path,
        "\(doing) failed: \(String(cString: strerror(number)))",
        advice: "The file is as it was; make room or change permissions, and save again."
      )
    case .changedMeanwhile:
      FailureText(
        description: "The changes could not be saved.",
        reason: "\(path) was written by another program since it was read.",
        advice: .beginAnew("Add the store again to see what is in it, and make the changes anew.")
      )
    }
  }
}

extension RowAssembly.Problem {
  /// The problem as a clause.
  var sentence: String {
    switch self {
    case .twice(let entity, let number):
      "the \(entity) \(number) is there twice"
    case .missing(let entity, let number, let key, let target):
      "\(key) of the \(entity) \(number) leads to \(target), which is not there"
    case .otherEntity(let entity, let number, let key, let target):
      "\(key) of the \(entity) \(number) leads to a \(target), which it cannot"
    case .severalTargets(let entity, let number, let key):
      "\(key) of the \(entity) \(number) leads to several objects, and can lead to one"
    case .twoOwners(let entity, let number, let key):
      "the \(entity) \(number) is in \(key) of two objects; without an inverse it can have one owner"
    }
  }
}
