@testable import SyncSimulation

/// A suite whose histories happen on two devices.
protocol ToldOfTwoDevices {
  var world: TwoDevices { get }
}

extension ToldOfTwoDevices {
  var phone: SimulatedDevice { world.phone }
  var laptop: SimulatedDevice { world.laptop }
}
