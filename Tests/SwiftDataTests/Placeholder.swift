import SwiftData
