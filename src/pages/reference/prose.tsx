/** Text with paragraphs and `code`, the only Markdown in descriptions. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text.split('\n\n').map((paragraph) => (
      <p>
        <Inline text={paragraph} />
      </p>
    ))}
  </>
)

/** Renders a line of text with `code`. */
export const Inline = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)
