//! The cookbook's chapter on object stores.

#[path = "../../../../docs/cookbook/object_store.rs"]
mod chapter;

#[test]
fn upload() -> Result<(), Box<dyn std::error::Error>> {
    chapter::upload_site()
}
