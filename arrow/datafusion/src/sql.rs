//! Sitemaps in SQL: a function and a format.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{
    Session, TableFunctionArgs, TableFunctionImpl, TableProvider, TableProviderFactory,
};
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::logical_expr::{CreateExternalTable, Expr};
use datafusion::prelude::SessionContext;

use crate::format::SitemapFormat;
use crate::table::SitemapTable;

/// Registers the function `sitemaps('…')` with a session, and tables that are `STORED AS SITEMAP`. Both take a file, a
/// folder or a glob, as a path or as a URL of a registered store: see [`SitemapTable`].
pub fn register(context: &SessionContext, format: SitemapFormat) {
    context.register_udtf("sitemaps", Arc::new(Sitemaps(format.clone())));
    let state = context.state_ref();
    let mut state = state.write();
    let tables = Arc::new(StoredAsSitemap(format));
    state
        .table_factories_mut()
        .insert("SITEMAP".to_owned(), tables);
}

/// `SELECT … FROM sitemaps('…')`
#[derive(Debug)]
struct Sitemaps(SitemapFormat);

impl TableFunctionImpl for Sitemaps {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let [Expr::Literal(value, _)] = args.exprs() else {
            return plan_err!(
                "sitemaps() takes one text: a file, a folder or a glob, as a path or as a URL"
            );
        };
        let Some(Some(location)) = value.try_as_str() else {
            return plan_err!("sitemaps() takes the text of a path or a URL, not {value}");
        };
        Ok(Arc::new(SitemapTable::try_new(location, self.0.clone())?))
    }
}

/// `CREATE EXTERNAL TABLE … STORED AS SITEMAP LOCATION '…'`
///
/// DataFusion's own factory of such tables would look for files named `*.sitemap`.
#[derive(Debug)]
struct StoredAsSitemap(SitemapFormat);

#[async_trait]
impl TableProviderFactory for StoredAsSitemap {
    async fn create(
        &self,
        _: &dyn Session,
        command: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        let [location] = command.locations.as_slice() else {
            return plan_err!("a table of sitemaps has one location");
        };
        if !command.schema.fields().is_empty() {
            return plan_err!("the columns of sitemaps are known: leave them out");
        }
        // Others are for the store.
        let unknown = |name: &&String| name.starts_with("format.");
        if let Some(name) = command.options.keys().find(unknown) {
            return plan_err!("sitemaps have no option `{name}`");
        }
        let table = SitemapTable::with_layout(
            location,
            self.0.clone(),
            &command.table_partition_cols,
            command.order_exprs.clone(),
        )?;
        Ok(Arc::new(table))
    }
}
