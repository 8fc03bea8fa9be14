/** Version of the driver API. `engines.roundhouse` of a manifest is a semver range of it. */
export const kitVersion = '0.1.0'
