/** For drivers that speak HTTP by undici. */

export { permittedOnly } from './permitted-only.ts'
export { undiciConnect } from './undici-connect.ts'
