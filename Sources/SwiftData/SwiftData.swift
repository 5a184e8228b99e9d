// Code with `import SwiftData` uses these without another import, as with Apple's.
@_exported import Foundation
@_exported import Observation

@_exported import class CoreData.UndoManager
@_exported import class CoreData.ValueTransformer
@_exported import func CoreData.autoreleasepool
