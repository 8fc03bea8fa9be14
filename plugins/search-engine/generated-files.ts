import { join } from 'node:path'

/** The file that the build generates for the driver. In a checkout and in a package, the folder is beside this file. */
export const specificationFile = join(import.meta.dirname, 'generated', 'specification.json')
