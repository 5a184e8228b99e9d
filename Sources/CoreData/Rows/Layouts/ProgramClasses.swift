import CoreDataCRuntime

/// The subclasses of `NSManagedObject` in all modules of the program, by their names without the module.
///
/// The compiler lists every class in the program's file, so that a class is found wherever it is declared: in the
/// program's own module, in a library, in a target of tests, within another type.
struct ProgramClasses {
  private let descriptors: [String: [UnsafeRawPointer]]

  /// The classes that there were when the first was looked for.
  ///
  /// Safety: addresses of constants in the program.
  nonisolated(unsafe) static let all = ProgramClasses()

  private init() {
    var found: [String: [UnsafeRawPointer]] = [:]
    withUnsafeMutablePointer(to: &found) { found in
      coredata_each_class(
        { name, descriptor, context in
          guard let name, let descriptor, let context else { return }
          context.assumingMemoryBound(to: [String: [UnsafeRawPointer]].self)
            .pointee[String(cString: name), default: []].append(descriptor)
        },
        found
      )
    }
    descriptors = found
  }

  /// The classes of that name.
  func named(_ name: String) -> [NSManagedObject.Type] {
    (descriptors[name] ?? []).compactMap { descriptor in
      coredata_class(descriptor).flatMap {
        unsafeBitCast($0, to: Any.Type.self) as? NSManagedObject.Type
      }
    }
  }
}
