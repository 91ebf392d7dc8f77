import { provesConform } from './support/proves-conform.ts'

provesConform('express')
