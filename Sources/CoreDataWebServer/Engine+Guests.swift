import CoreDataHTTP
import Foundation

/// Requests for addresses that have a secret in them, by people without the key.
extension Engine {
  /// Answers a guest when the turn comes.
  func welcome(_ request: Request, _ route: Route, _ exchange: Exchange) {
    let address = exchange.line.connection.client
    guests.take(address) { [self] leave in
      guard exchange.isWorking, !isAbandoned(exchange) else { return false }
      let task = Task(executorPreference: HandlerThreads.shared.laneOfGuests) {
        let response = await self.answer(request, route, from: address)
        if exchange.ready(self.admit(exchange, response)) { exchange.line.resume() }
        leave()
      }
      exchange.keep(task)
      return true
    }
  }

  /// Whether the guest has left; the connection is given back then, and nothing is read for it.
  private func isAbandoned(_ exchange: Exchange) -> Bool {
    guard exchange.line.hasLeft else { return false }
    if exchange.giveUp(with: Problem.abandoned.response) { exchange.line.resume() }
    return true
  }

  private func answer(_ request: Request, _ route: Route, from address: String) async -> Response {
    var response = await route.respond(to: request) { error in
      self.configuration.accessLog.report(
        "\(request.method.rawValue) \(route.pattern.text), request \(request.id): \(error)"
      )
    }
    if response.status == 404 {
      let secret = route.secret.flatMap { request.parameters[$0] } ?? ""
      response = doorkeeper.refuse(link: secret, from: address)
    }
    return response.with("Cache-Control", "no-store").with("X-Robots-Tag", "noindex, nofollow")
      .with("X-Request-ID", request.id)
  }

  /// Gives the guest time to take the answer, if the secret was right; others stay strangers, who are closed first.
  private func admit(_ exchange: Exchange, _ response: Response) -> Response {
    guard (200..<400).contains(response.status) else { return response }
    guard exchange.line.admit(as: Self.holderOfGuests, expecting: 0) else {
      let problem = Problem(503, "Too many people read here just now. Try again in a moment.")
      return problem.response.with("Cache-Control", "no-store")
    }
    return response
  }

  /// The guests have their connections together.
  private static let holderOfGuests: Int64 = 1
}
