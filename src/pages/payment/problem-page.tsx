import { languageOf } from './language.ts'
import { Layout } from './layout.tsx'

/** A page that says what is wrong. It belongs to no order, so it speaks English.
 *  @param assets see `Layout` */
export function problemPage(problem: { title: string; text: string }, assets: string): string {
  return `<!doctype html>${<ProblemPage {...problem} assets={assets} />}`
}

function ProblemPage({ title, text, assets }: { title: string; text: string; assets: string }) {
  return (
    <Layout language={languageOf('en')} assets={assets} title={title} refreshSeconds={null}>
      <main class="payment-card payment-problem">
        <p class="payment-mark" aria-hidden="true">
          ?
        </p>
        <h1>{title}</h1>
        <p>{text}</p>
      </main>
    </Layout>
  )
}
