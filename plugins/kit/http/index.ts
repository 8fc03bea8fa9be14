/** Helpers for drivers that use HTTP through undici. */

export { permittedOnly } from './permitted-only.ts'
export { undiciConnect } from './undici-connect.ts'
