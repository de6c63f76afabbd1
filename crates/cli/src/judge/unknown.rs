//! The message for an unknown name of a rule.

/// The message for a name that none of these rules has.
pub(crate) fn unknown(name: &str, known: impl Iterator<Item = &'static str>) -> anyhow::Error {
    // As clap suggests options.
    let alike = known.map(|known| (strsim::jaro(name, known), known));
    let nearest = alike
        .filter(|(alike, _)| *alike > 0.75)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    let advice = match nearest {
        Some((_, nearest)) => format!("; did you mean `{nearest}`?"),
        None => String::new(),
    };
    anyhow::anyhow!("there is no rule `{name}`{advice} (`sitemap check --rules` lists them)")
}
