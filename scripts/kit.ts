import { packKit } from './kit/package.ts'
import { inCheckout } from './layout.ts'

/** `npm run kit`: packs `@roundhouse/kit` for driver authors. An argument names another folder than `dist/kit`. */
const [folder = inCheckout('dist', 'kit')] = process.argv.slice(2)
await packKit(folder)
process.stdout.write(`Packed the kit beside ${folder}\n`)
