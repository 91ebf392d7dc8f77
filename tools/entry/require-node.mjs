// Goes before the library: it throws where Node is too old, before anything of the library is evaluated.

import { nodeRefusal } from './node-refusal.mjs'

const refusal = nodeRefusal()
if (refusal !== null) throw new Error(refusal)
