import packageJson from '../package.json' with { type: 'json' }

/** Version of the kit, which is that of the driver API. `engines.roundhouse` of a manifest is a semver range of it. */
export const kitVersion = packageJson.version
