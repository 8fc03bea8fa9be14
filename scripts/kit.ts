import { packForAuthors } from './kit/package.ts'
import { inCheckout } from './layout.ts'

/** `npm run kit`: packs `@roundhouse/kit` and `@roundhouse/sql` for driver authors. An argument names another folder than `dist`. */
const [folder = inCheckout('dist')] = process.argv.slice(2)
await packForAuthors(folder)
process.stdout.write(`Packed the kit and the SQL layer into ${folder}\n`)
