import { afterAll } from 'vitest'
import { forgetSecrets } from '../../base/redaction.ts'

// Files share the modules of their worker. The secrets of one file must not be redacted from the texts of the next.
afterAll(forgetSecrets)
