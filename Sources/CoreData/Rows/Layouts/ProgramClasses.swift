import CoreDataCRuntime
import Foundation

/// The classes in all modules of the program, by their names without the module.
///
/// The compiler lists every class in the program's file, so that a class is found wherever it is declared: in the
/// program's own module, in a library, in a target of tests, within another type.
struct ProgramClasses {
  private let descriptors: [String: [UnsafeRawPointer]]

  /// The classes that there were when the first was looked for.
  ///
  /// Safety: addresses of constants in the program.
  nonisolated(unsafe) private static let all = ProgramClasses()

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
  private func named<Class>(_ name: String, _ kind: (Any.Type) -> Class?) -> [Class] {
    (descriptors[name] ?? []).compactMap { descriptor in
      coredata_class(descriptor).flatMap { kind(unsafeBitCast($0, to: Any.Type.self)) }
    }
  }

  /// Returns the classes that a name in a model or a mapping model may mean.
  ///
  /// Such a name often lacks its module, as Xcode writes it. Then a class of the program's own module is meant, and
  /// if it does not have one, a class of any of its modules; classes within other types come last.
  ///
  /// - Parameters:
  ///   - className: The name, with or without a module.
  ///   - kind: Casts a class to the wanted kind, or returns `nil`.
  /// - Returns: The classes. There are several only if several modules have the name.
  static func find<Class>(_ className: String, as kind: (Any.Type) -> Class?) -> [Class] {
    let name = plain(className)
    let elsewhere = name.contains(".") ? [] : ProgramBundles.modules.map { "\($0).\(name)" }
    for candidate in [name] + elsewhere {
      if let own = NSClassFromString(candidate).flatMap(kind) { return [own] }
    }
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let all = all.named(last, kind)
    if name != last { return all.filter { String(reflecting: $0) == name } }
    let outermost = all.filter { String(reflecting: $0).split(separator: ".").count == 2 }
    return outermost.isEmpty ? all : outermost
  }

  /// Returns the name without the leading point, which a model writes for its own module.
  static func plain(_ className: String) -> String {
    className.hasPrefix(".") ? String(className.dropFirst()) : className
  }
}
