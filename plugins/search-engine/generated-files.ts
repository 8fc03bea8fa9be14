import { join } from 'node:path'

/** What the build makes for the driver, in a checkout and in a package: this file lies beside the folder in both. */
export const specificationFile = join(import.meta.dirname, 'generated', 'specification.json')
