import { ensureBuilt } from '../../scripts/build.ts'

/** Tests run what ships: the built host, window and registry. */
export default ensureBuilt
