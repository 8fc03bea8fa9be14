import { silentLog } from '../../../base/log.ts'
import { openSupportDirectory } from '../../../base/support-directory.ts'
import { Drivers } from '../../../host/plugin-loader/drivers.ts'

/** Installs `tiny` from a registry, like a host. Tests interrupt this program. */
const [, , home = '', url = '', fingerprint = ''] = process.argv
const drivers = await Drivers.open(await openSupportDirectory(home), [{ url, fingerprint }], { log: silentLog })
await drivers.install('tiny')
await drivers.stopAll()
