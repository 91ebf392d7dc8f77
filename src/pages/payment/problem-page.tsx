import { languageOf } from './language.ts'
import { Layout, Mark } from './layout.tsx'

/** A page about a problem. It belongs to no order, so it is in English.
 *  @param assets see `Layout` */
export function problemPage(problem: { title: string; text: string }, assets: string): string {
  return `<!doctype html>${<ProblemPage {...problem} assets={assets} />}`
}

function ProblemPage({ title, text, assets }: { title: string; text: string; assets: string }) {
  return (
    <Layout language={languageOf('en')} assets={assets} title={title} refresh={null}>
      <main class="payment-card payment-problem">
        <Mark of="problem" />
        <h1>{title}</h1>
        <p>{text}</p>
      </main>
    </Layout>
  )
}
