/// Calls a closure.
///
/// Programs for Apple's systems import many objects in closures of this function, at whose end Objective-C releases the
/// objects that it has kept. Linux keeps none, so that the closure is called and nothing else happens.
///
/// ```swift
/// for title in ["Faults", "Rows"] {
///   autoreleasepool {
///     Note(context: context).title = title
///   }
/// }
/// ```
///
/// A function of this name in the program, or in another module that it imports, is preferred to this one.
///
/// - Parameter body: The closure to call.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure.
@_disfavoredOverload
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
