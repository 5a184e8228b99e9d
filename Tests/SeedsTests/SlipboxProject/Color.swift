// swift-format-ignore-file
import Foundation

// Linux: SwiftUI's Color, as far as the document's model uses it.
struct Color: Equatable {
    static let black = Color(red: 0, green: 0, blue: 0)

    let cgColor: CGColor?

    init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        cgColor = CGColor(components: [red, green, blue, opacity])
    }
}

struct CGColor: Equatable {
    let components: [Double]?
}
